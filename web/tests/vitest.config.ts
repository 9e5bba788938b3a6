import { defineConfig } from 'vitest/config';

// One file after the other: each has a server and a browser of its own, and games take their time.
export default defineConfig({
  test: { include: ['tests/*.browser.ts'], fileParallelism: false, testTimeout: 240_000, hookTimeout: 60_000 },
});
