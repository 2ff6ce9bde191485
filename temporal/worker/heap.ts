/**
 * Limits the growth of the worker's heap. Imported before anything else, because V8 chooses the next size at each collection.
 * V8 collects when a heap is half as large again as what is alive in it. Left alone, it waits for four times as much
 * where there is memory, and a worker of 90 MB grows to 400 before it collects (test/bench/README.md).
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--heap-growing-percent=50');
