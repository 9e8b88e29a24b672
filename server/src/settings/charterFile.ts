// Defines the content of `.selfware/charter.json`, which states the permissions in a repository. Its types, its
// validation and schemas/charter.schema.json are derived from this file.

import * as z from 'zod';
import { authorsSchema } from './authorsSchema.ts';

/** The schema of a charter. Each part can only tighten the settings of a person. */
export const charterSchema = z.strictObject({
  $schema: z.string().optional().describe('The schema of this file. Editors use it; Selfware does not.'),
  approval: z
    .enum(['strict', 'moderate', 'minimal'])
    .optional()
    .describe(
      'Which changes need the approval of a person, at least: strict = every change; moderate = critical ones and those over 100 lines; minimal = safety-critical ones only. A person may ask for more, never for less.',
    ),
  maxChanges: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('At most this many changes are applied in a session; 0 = none. A person may allow fewer, never more.'),
  protectedPaths: z
    .array(z.string().regex(/^[^!]/, 'a charter cannot take protection away, so no pattern may begin with !'))
    .optional()
    .describe(
      'Ignore patterns (as in .gitignore) for files that no proposal may touch, in addition to those of the settings and the built-in ones. No pattern may begin with `!`.',
    ),
  authors: authorsSchema
    .optional()
    .describe(
      'What each author (`recipe`, `person`, `model`, `agent`, `client`) may do at most: ' +
        '`may`, `changesAnHour`, `changesADay`, `requestsAMinute`. A person may allow less, never more.',
    ),
});

/** The content of a charter. */
export type CharterFile = Omit<z.infer<typeof charterSchema>, '$schema'>;

/** The content of a new charter, which states the defaults. */
export const initialCharter: CharterFile = { approval: 'strict', maxChanges: 10, protectedPaths: [] };
