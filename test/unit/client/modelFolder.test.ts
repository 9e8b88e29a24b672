// Which folders hold a model for embeddings, and in which order its settings are written.

import { expect, test } from 'vitest';
import { explainUnusableFolder, listSettingsForModel } from '../../../client/src/models/modelFolder.ts';

test.each([
  [['config.json', 'onnx'], ['model_quantized.onnx'], null],
  [['config.json'], [], /: onnx\/model\.onnx is missing/],
  [['onnx'], ['model.onnx'], /: config\.json is missing/],
  [[], ['readme.md'], /config\.json and onnx\/model\.onnx/],
])('%j with %j', (names, onnxNames, expected) => {
  const sentence = explainUnusableFolder(names, onnxNames);
  if (expected === null) expect(sentence).toBeNull();
  else expect(sentence).toMatch(expected);
});

test('no server is asked for the folder, and no model runs before it is named', () => {
  expect(listSettingsForModel('/models/m', 'static').map(([name]) => name)).toEqual([
    'memory.embedderModel',
    'memory.embedder',
  ]);
  expect(listSettingsForModel('/models/m', 'provider')[0]).toEqual(['memory.embedder', 'static']);
});
