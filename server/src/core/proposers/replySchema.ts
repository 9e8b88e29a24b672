// Defines the shape of an answer as a JSON schema, for proposers that can force an answer to follow one.

import type { ReplySchema } from '../ports/proposers.ts';

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;

function objectOf(properties: Readonly<Record<string, ReplySchema>>): ReplySchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/**
 * One object with edits, as the question asks for it. All properties are required and no others are allowed, because
 * OpenAI demands both. https://platform.openai.com/docs/guides/structured-outputs
 */
export const REPLY_SCHEMA: ReplySchema = objectOf({
  description: TEXT,
  edits: {
    type: 'array',
    items: {
      anyOf: [
        objectOf({ file: TEXT, search: TEXT, replace: TEXT }),
        objectOf({ file: TEXT, content: TEXT }),
        objectOf({ file: TEXT, append: TEXT }),
        objectOf({ file: TEXT, delete: FLAG }),
      ],
    },
  },
});
