// Entry of the process that skims scripts. A process, because a parser of machine code that is given code nested too deep ends the one it is in.

import { flushCompileCache } from 'node:module';
import { keepIn } from '../system/compiledCode.ts';
import { optimiseLate } from '../system/lateOptimising.ts';
import { LIBRARY_VARIABLE, nativeLibrary, OXC } from '../system/nativeLibrary.ts';
import { serveJobs } from '../workers/serveJobs.ts';

const [code] = process.argv.slice(2);
optimiseLate(true);
if (code !== undefined) keepIn(code);
process.env[LIBRARY_VARIABLE] = nativeLibrary(OXC) ?? '';
// Only now: what follows is compiled under these flags, and kept.
const [{ lazyParser }, { createSkimJob }] = await Promise.all([import('./lazyParser.ts'), import('../../core/skimFiles.ts')]);
const skim = createSkimJob(lazyParser);
let kept = false;
serveJobs({
  async skim(files) {
    const found = await skim(files);
    // Who asks ends us without a word.
    if (!kept) flushCompileCache();
    kept = true;
    return found;
  },
});
