// Caches the compiled code of our sources and of libraries for the next worker. Each worker of vitest loads this file
// first. With the cache, loading the sources takes 1.2 instead of 2.8 s of processor time.

const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

enableCompileCache(join(__dirname, '..', 'output', 'code'));
