// Says whether a folder holds a model for embeddings.

/** The sentence about what a folder lacks; null if nothing. `names`: of its files; `onnxNames`: of those in `onnx`. */
export function explainUnusableFolder(names: readonly string[], onnxNames: readonly string[]): string | null {
  const missing = [
    ...(names.includes('config.json') ? [] : ['config.json']),
    ...(onnxNames.some((name) => name.endsWith('.onnx')) ? [] : ['onnx/model.onnx']),
  ];
  return missing.length === 0
    ? null
    : `This folder holds no model for embeddings: ${missing.join(' and ')} is missing.`;
}

/** The settings for a model on this machine, in the order in which they are written: each state between is valid. */
export function settingsForModel(model: string, embedder: string): readonly (readonly [name: string, value: string])[] {
  return [
    // A server would be asked for the folder.
    ...(embedder === 'provider' ? [['memory.embedder', 'static'] as const] : []),
    ['memory.embedderModel', model],
    ['memory.embedder', 'transformers'],
  ];
}
