// Jobs that do what good jobs do not. The text of `syntax` says which.

import type { JobImplementations } from '../../../../server/src/core/jobs.ts';
import { SelfwareError } from '../../../../server/src/util/typedError.ts';

let calls = 0;

export const trickyTable: Partial<JobImplementations> = {
  async syntax({ path, text }) {
    calls++;
    switch (text) {
      case 'hang':
        for (;;);
      case 'wait':
        return new Promise(() => setInterval(() => undefined, 1000));
      case 'exit':
        process.exit(7);
      case 'throw':
        throw new TypeError('thrown by the job');
      case 'typed':
        throw new SelfwareError('forbidden', 'Not allowed.', { action: 'Ask.' });
      case 'late':
        // Answers and errors come to the other thread by ways of their own: the answer gets time to be first.
        setTimeout(() => {
          throw new Error('after the answer');
        }, 200);
        return said('answered');
      case 'memory': {
        const hoard: unknown[] = [];
        for (;;) hoard.push(new Array(100_000).fill(calls));
      }
      case 'print':
        console.log('this must not reach standard output');
        return [];
      default:
        return said(path, String(calls));
    }
  },
};

function said(...messages: readonly string[]): { readonly code: string; readonly message: string }[] {
  return messages.map((message) => ({ code: '', message }));
}
