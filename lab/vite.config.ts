import {defineConfig} from 'vitest/config';

// Relative addresses: the page works below any path of any file server.
export default defineConfig({
  base: './',
  build: {
    outDir: '../out/lab',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    modulePreload: {polyfill: false},
  },
  worker: {format: 'es'},
  test: {include: ['tests/unit/*.test.ts']},
});
