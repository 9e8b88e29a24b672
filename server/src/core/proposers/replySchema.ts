// Defines the shape of an answer as a JSON schema, for providers that can force an answer to follow a schema.

import type { ReplySchema } from '../ports/proposers.ts';

const TEXT_SCHEMA = { type: 'string' } as const;
const FLAG_SCHEMA = { type: 'boolean' } as const;

/** The schema of an object with exactly these properties. */
function createObjectSchema(properties: Readonly<Record<string, ReplySchema>>): ReplySchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/**
 * The schema of one object with edits, as the question asks for it. All properties are required and no others are
 * allowed, because OpenAI demands both. https://platform.openai.com/docs/guides/structured-outputs
 */
export const REPLY_SCHEMA: ReplySchema = createObjectSchema({
  description: TEXT_SCHEMA,
  edits: {
    type: 'array',
    items: {
      anyOf: [
        createObjectSchema({ file: TEXT_SCHEMA, search: TEXT_SCHEMA, replace: TEXT_SCHEMA }),
        createObjectSchema({ file: TEXT_SCHEMA, content: TEXT_SCHEMA }),
        createObjectSchema({ file: TEXT_SCHEMA, append: TEXT_SCHEMA }),
        createObjectSchema({ file: TEXT_SCHEMA, delete: FLAG_SCHEMA }),
      ],
    },
  },
});
