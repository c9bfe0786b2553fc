/* SPDX-License-Identifier: Apache-2.0

   What a plug-in for one MPI offers to the command, which is linked with none of them. */
#ifndef SME_MPI_PLUGIN_H
#define SME_MPI_PLUGIN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sme_mpi_message {
    int rank; /* the other one */
    void* data;
    size_t bytes;
};

struct sme_mpi {
    int rank;
    int ranks;
    /* What is called when other ranks have not answered for this many seconds; 0: never. It does
       not return. */
    double patience_s;
    void (*lost)(void* host);
    void* host;
    /* Begins to send and receive messages; `wait` returns when all have left and arrived. Of one
       thread at a time, and in turns. */
    void (*start)(const struct sme_mpi_message* sent, size_t sends,
                  const struct sme_mpi_message* received, size_t receives);
    void (*wait)(void);
    /* Calls take(to, rank, data, bytes) for the bytes of each rank, in order. */
    void (*gather)(const void* own, size_t bytes,
                   void (*take)(void* to, int rank, const void* data, size_t bytes), void* to);
    /* Ends all ranks. */
    void (*abort)(int exit_code);
    /* Every rank calls it last. */
    void (*finish)(void);
};

/* Null, with a text in `problem`, if it cannot begin. */
struct sme_mpi* sme_mpi_open(const char** problem);

#ifdef __cplusplus
}
#endif

#endif
