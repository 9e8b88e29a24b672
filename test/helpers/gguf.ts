// Writes a language model that answers every question with the same text, as a GGUF file.

import { charactersOfBytes, writeOneLayerModel } from '../fixtures/training/ggufFile.mjs';

/** Divides a text into pieces of at least `length` characters that differ from each other (the last may be shorter). */
function differentPieces(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let offset = 0; offset < text.length; ) {
    let end = offset + length;
    while (end < text.length && pieces.includes(text.slice(offset, end))) end += 1;
    pieces.push(text.slice(offset, end));
    offset = end;
  }
  return pieces;
}

/**
 * Writes a model of about 2 MB that answers every question with `reply`. It reads each byte as one token, and writes
 * pieces of the reply as tokens: each piece determines the next one, therefore all pieces differ.
 */
export function writeGguf(path: string, reply: string, contextTokens = 65_536): void {
  const characters = charactersOfBytes();
  const pieces = differentPieces(reply, 6);
  const [begin, end, first] = [256, 257, 258];
  const tokens = [
    ...characters,
    '<|begin|>',
    '<|end|>',
    ...pieces.map((piece) => [...Buffer.from(piece)].map((byte) => characters[byte]).join('')),
  ];
  const width = Math.ceil(tokens.length / 32) * 32;
  const output = new Float32Array(width * tokens.length);
  for (let token = 0; token < tokens.length; token += 1) {
    const following = token < first ? first : token + 1 < tokens.length ? token + 1 : end;
    output[following * width + token] = 5;
  }
  writeOneLayerModel(path, {
    name: 'selfware-test',
    contextTokens,
    tokens,
    begin,
    end,
    template:
      '{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}',
    width,
    output,
  });
}
