import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// A platform of `npm start` answers the requests of the development server.
const api = process.env.LENSFORGE_API_URL ?? 'http://127.0.0.1:4000';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  resolve: { conditions: ['@lensforge/source', 'module', 'browser', 'production', 'development', 'default'] },
  // The policy of the pages forbids data: and inline scripts.
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // The packages that every view needs are smaller together than apart.
        advancedChunks: {
          groups: [
            {
              name: 'common',
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:react-router|router-core|history|react-store|store|react-query|query-core))\//,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': api, '/console/settings.json': api } },
});
