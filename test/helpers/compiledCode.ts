// Lets all processes of tests share one folder with the compiled code of the built program. By default, this code is in
// the state folder, which differs in each test, so every process would compile everything again; that takes half of the
// processor time of a short command.

import { join } from 'node:path';

/** Environment variables for each process that runs the built program. */
export const sharedCode = { NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'output', 'code') } as const;
