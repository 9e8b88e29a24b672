// Entry of a process of its own: parses a text in each of some languages until the engine has had every reason to
// optimise their lexers.

import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { createGrammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import { createParser } from '../../../server/src/core/index/parse/parser.ts';
import type { Language } from '../../../server/src/core/model.ts';

const TIMES = 40;

const parser = createParser(createGrammarsFromNodeModules());
const [, , ...pairs] = process.argv;
for (const pair of pairs) {
  const [language, file] = pair.split('=') as [Language, string];
  const text = `${readFileSync(file, 'utf8')}\n`.repeat(TIMES);
  for (let time = 0; time < TIMES; time++) {
    (await parser.parse(language, text))!.delete();
    await setImmediate();
  }
}
