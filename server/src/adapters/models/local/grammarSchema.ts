// Turns the schema of an answer into the form from which node-llama-cpp makes a grammar.

import type { ReplySchema } from '../../../core/ports/proposers.ts';
import type { GrammarSchema } from './llamaLibrary.ts';

/**
 * The schema with `oneOf` in place of `anyOf`, and without the list of required properties, because the library
 * requires all properties.
 */
export function convertToGrammarSchema(schema: ReplySchema): GrammarSchema {
  if ('anyOf' in schema) return { oneOf: schema.anyOf.map(convertToGrammarSchema) };
  if (schema.type === 'array') return { type: 'array', items: convertToGrammarSchema(schema.items) };
  if (!('properties' in schema)) return { type: schema.type };
  const properties = Object.entries(schema.properties).map(
    ([name, property]) => [name, convertToGrammarSchema(property)] as const,
  );
  return { type: 'object', properties: Object.fromEntries(properties) };
}
