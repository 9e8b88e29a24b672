// Decides whether an answer of node-llama-cpp is whole or was cut.

/**
 * True if the model ended the answer. `isJsonExpected`: true if a grammar held it to JSON. With such a grammar, the
 * library also stops after four line breaks, wherever they stand, so the text has to be JSON.
 */
export function isFinished(stopReason: string, text: string, isJsonExpected: boolean): boolean {
  if (stopReason === 'eogToken') return true;
  return stopReason === 'stopGenerationTrigger' && (!isJsonExpected || isJson(text));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
