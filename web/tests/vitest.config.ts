import { defineConfig } from 'vitest/config';

// One file after the other: each has a server and a browser of its own, and games take their time. On a busy machine a
// browser may be too slow once.
export default defineConfig({
  test: { include: ['tests/*.browser.ts'], fileParallelism: false, testTimeout: 240_000, hookTimeout: 60_000, retry: 1 },
});
