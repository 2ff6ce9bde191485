/** Builds the page into dist/web: hashed files below /app/assets, each compressed at build time. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const outDir = fileURLToPath(new URL('../../../dist/web', import.meta.url));
/** Smaller answers gain nothing. */
const MIN_BYTES = 1_024;

function compressAll(directory: string): void {
  const assets = join(directory, 'assets');
  for (const name of readdirSync(assets)) {
    const content = readFileSync(join(assets, name));
    if (content.length < MIN_BYTES || !/\.(?:js|css|svg)$/.test(name)) continue;
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/app/',
  plugins: [
    react(),
    { name: 'compress', apply: 'build', writeBundle: ({ dir }) => compressAll(dir ?? outDir) },
  ],
  worker: { format: 'es' },
  build: {
    outDir,
    emptyOutDir: true,
    chunkSizeWarningLimit: 1_500,
    // The policy of the page forbids inline modules and data addresses of scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
