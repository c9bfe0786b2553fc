// SPDX-License-Identifier: Apache-2.0
// The ring with goroutines and channels: processes tokens trips depth processors.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

func word(k int) int {
	value, _ := strconv.Atoi(os.Args[k])
	return value
}

func main() {
	processes, tokens, trips, depth := word(1), word(2), word(3), word(4)
	runtime.GOMAXPROCS(word(5))
	token := make([]chan uint32, processes)
	for k := range token {
		token[k] = make(chan uint32, depth)
	}
	for k := 1; k < processes; k++ {
		go func(x, y chan uint32) {
			for turn := 0; turn < (trips+1)*tokens; turn++ {
				y <- 1 + <-x
			}
		}(token[k-1], token[k])
	}
	start := time.Now()
	for k := 1; k <= tokens; k++ {
		token[0] <- uint32(k)
	}
	for turn := 0; turn < trips*tokens; turn++ {
		token[0] <- 1 + <-token[processes-1]
	}
	sum := 0
	for k := 0; k < tokens; k++ {
		sum += int(<-token[processes-1])
	}
	ns := float64(time.Since(start).Nanoseconds())
	right := 0
	if sum == tokens*(tokens+1)/2+tokens*((processes-1)*(trips+1)+trips) {
		right = 1
	}
	fmt.Printf("ns_per_communication %.3f check %d\n", ns/float64(processes*tokens*trips), right)
}
