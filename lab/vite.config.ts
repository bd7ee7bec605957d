import type {Plugin} from 'vite';
import {defineConfig} from 'vitest/config';

/** A browser loads no module from a file, and a script or style sheet only if it is not asked for with an origin. */
const classicScript: Plugin = {
  name: 'classic-script',
  enforce: 'post',
  transformIndexHtml: (html) => html.replace(/ type="module" crossorigin/g, ' defer').replace(/ crossorigin/g, ''),
};

// Relative addresses: the page works below any path of any file server. One script, with the core and the worker in it: it works as a
// file, too, for which a browser fetches nothing.
export default defineConfig({
  base: './',
  plugins: [classicScript],
  build: {
    outDir: '../out/lab',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    cssCodeSplit: false, // a file, not a part of the script
    modulePreload: {polyfill: false},
    rollupOptions: {output: {format: 'iife'}},
  },
  worker: {format: 'iife'},
  test: {include: ['tests/unit/*.test.ts']},
});
