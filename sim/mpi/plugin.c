/* SPDX-License-Identifier: Apache-2.0

   Compiled once for each MPI of the system, with its compiler. */
#include "plugin.h"

#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* MPI counts bytes in an int. */
static const size_t largest = (size_t)1 << 30;

static struct sme_mpi this_rank;

static size_t pieces(const struct sme_mpi_message* messages, size_t count) {
    size_t sum = 0;
    for (size_t k = 0; k < count; ++k)
        sum += (messages[k].bytes + largest - 1) / largest;
    return sum;
}

static void* allocated(size_t count, size_t bytes) {
    void* result = calloc(count > 0 ? count : 1, bytes);
    if (result == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return result;
}

/* A short wait tests all the time. A longer one lets other programs run: with more ranks than
   processors, those that this rank waits for. Time in which this program was stopped does not
   count. */
static void wait_all(int count, MPI_Request* all) {
    const unsigned spins = 1024, yields = 8192;
    const struct timespec pause = {0, 50 * 1000};
    double waited = 0, last = 0;
    for (unsigned k = 1;; ++k) {
        int done = 0;
        MPI_Testall(count, all, &done, MPI_STATUSES_IGNORE);
        if (done)
            return;
        if (k > yields)
            nanosleep(&pause, NULL);
        else if (k > spins)
            sched_yield();
        if (k % 1024 != 0)
            continue;
        const double now = MPI_Wtime();
        if (last > 0)
            waited += now - last < 1 ? now - last : 1;
        last = now;
        if (this_rank.patience_s > 0 && waited > this_rank.patience_s)
            this_rank.lost(this_rank.host);
    }
}

/* Those under way. Persistent requests are no faster with MPICH, and slower with Open MPI. */
static MPI_Request* requests;
static size_t allocated_requests, next;

/* The pieces of a message arrive in the order in which they are sent. */
static void start(const struct sme_mpi_message* sent, size_t sends,
                  const struct sme_mpi_message* received, size_t receives) {
    const size_t count = pieces(sent, sends) + pieces(received, receives);
    if (count > allocated_requests) {
        free(requests);
        requests = allocated(count, sizeof *requests);
        allocated_requests = count;
    }
    next = 0;
    for (size_t k = 0; k < sends + receives; ++k) {
        const int sends_it = k >= receives;
        const struct sme_mpi_message* message = sends_it ? sent + (k - receives) : received + k;
        for (size_t at = 0; at < message->bytes; at += largest) {
            const size_t left = message->bytes - at;
            const int bytes = (int)(left < largest ? left : largest);
            char* const data = (char*)message->data + at;
            if (sends_it)
                MPI_Isend(data, bytes, MPI_BYTE, message->rank, 0, MPI_COMM_WORLD,
                          requests + next++);
            else
                MPI_Irecv(data, bytes, MPI_BYTE, message->rank, 0, MPI_COMM_WORLD,
                          requests + next++);
        }
    }
}

static void wait(void) {
    wait_all((int)next, requests);
}

static void gather(const void* own, size_t bytes,
                   void (*take)(void* to, int rank, const void* data, size_t bytes), void* to) {
    uint64_t* const sizes = allocated((size_t)this_rank.ranks, sizeof *sizes);
    const uint64_t size = bytes;
    MPI_Request request;
    MPI_Iallgather(&size, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, MPI_COMM_WORLD, &request);
    wait_all(1, &request);
    for (int rank = 0; rank < this_rank.ranks; ++rank) {
        char* const data = allocated(sizes[rank], 1);
        if (rank == this_rank.rank)
            for (size_t k = 0; k < bytes; ++k)
                data[k] = ((const char*)own)[k];
        for (size_t at = 0; at < sizes[rank]; at += largest) {
            const size_t left = sizes[rank] - at;
            MPI_Ibcast(data + at, (int)(left < largest ? left : largest), MPI_BYTE, rank,
                       MPI_COMM_WORLD, &request);
            wait_all(1, &request);
        }
        take(to, rank, data, sizes[rank]);
        free(data);
    }
    free(sizes);
}

static void end_all(int exit_code) {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
}

static void finish(void) {
    MPI_Finalize();
}

struct sme_mpi* sme_mpi_open(const char** problem) {
    int given = 0;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given);
    if (given < MPI_THREAD_SERIALIZED) {
        *problem = "this MPI was built without support for threads";
        return NULL;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &this_rank.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &this_rank.ranks);
    this_rank.start = start;
    this_rank.wait = wait;
    this_rank.gather = gather;
    this_rank.abort = end_all;
    this_rank.finish = finish;
    return &this_rank;
}
