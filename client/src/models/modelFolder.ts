// Checks whether a folder holds an ONNX model for embeddings, and lists the settings that make Selfware use it.

/**
 * The sentence about the files that a folder lacks; null if it holds a model. `names`: the names of its files;
 * `onnxNames`: the names of the files in its subfolder `onnx`.
 */
export function explainUnusableFolder(names: readonly string[], onnxNames: readonly string[]): string | null {
  const missingFiles = [
    ...(names.includes('config.json') ? [] : ['config.json']),
    ...(onnxNames.some((name) => name.endsWith('.onnx')) ? [] : ['onnx/model.onnx']),
  ];
  return missingFiles.length === 0
    ? null
    : `This folder holds no model for embeddings: ${missingFiles.join(' and ')} is missing.`;
}

/**
 * The settings for a model on this machine, in the order in which they are to be written: after each of them, the
 * settings are valid. `embedder`: the current value of `memory.embedder`.
 */
export function listSettingsForModel(
  model: string,
  embedder: string,
): readonly (readonly [name: string, value: string])[] {
  return [
    // Otherwise the path of the folder would, for a moment, be the model's name in a request to a server.
    ...(embedder === 'provider' ? [['memory.embedder', 'static'] as const] : []),
    ['memory.embedderModel', model],
    ['memory.embedder', 'transformers'],
  ];
}
