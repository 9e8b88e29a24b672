// A program that parses the files of a folder and does nothing else: `node parseAlone.ts DIR`. What the whole of
// indexing is measured against.

import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { grammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import { decodeSource } from '../../../server/src/core/index/decode.ts';
import { looksMinified } from '../../../server/src/core/paths/generated.ts';
import { languageOf } from '../../../server/src/core/index/language.ts';
import { createParser } from '../../../server/src/core/index/parser.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';

const tree = await createWorkingTree(process.argv[2]!);
const parser = createParser(grammarsFromNodeModules());
const { files } = await tree.walk(
  { maxBytes: defaultSettings['index.maxFileKilobytes'] * 1024, exclude: [] },
  new AbortController().signal,
);
for (const { path } of files) {
  const bytes = await tree.read(path);
  const decoded = bytes && decodeSource(bytes);
  if (!decoded || 'reason' in decoded) continue;
  const language = languageOf(path, decoded.text);
  if (language && !looksMinified(decoded.text)) (await parser.parse(language, decoded.text))?.delete();
}
parser.close();
