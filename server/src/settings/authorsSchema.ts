// Defines the schema of what each author of proposals may do and how often, for settings and charters.

import * as z from 'zod';
import { AUTHORS } from '../core/model/authors.ts';
import { CAPABILITIES } from '../core/model/capabilities.ts';

const allowanceSchema = z.strictObject({
  may: z.array(z.enum(CAPABILITIES)).readonly().optional().describe('What it may do; nothing else.'),
  changesAnHour: z.int().min(0).max(10_000).optional().describe('Changes that are applied within an hour, at most.'),
  changesADay: z.int().min(0).max(10_000).optional().describe('Changes that are applied within 24 hours, at most.'),
  requestsAMinute: z.int().min(0).max(10_000).optional().describe('Proposals within a minute, at most.'),
});

/** The permissions and rates of each author. An author who is left out has the default ones. */
export const authorsSchema = z.strictObject(
  Object.fromEntries(AUTHORS.map((author) => [author, allowanceSchema.optional()])) as Record<
    (typeof AUTHORS)[number],
    z.ZodOptional<typeof allowanceSchema>
  >,
);
