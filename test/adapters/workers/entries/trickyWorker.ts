// Entry of a thread with the tricky jobs.

import { serveJobs } from '../../../../server/src/adapters/workers/serveJobs.ts';
import { trickyTable } from './trickyTable.ts';

serveJobs(trickyTable);
