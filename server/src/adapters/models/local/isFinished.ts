// Decides whether an answer of node-llama-cpp is complete or truncated.

/**
 * True if the model ended the answer itself. `isJsonExpected`: true if a grammar constrained the answer to JSON. With
 * such a grammar, the library also stops after four consecutive line breaks, so the text must then be complete JSON.
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
