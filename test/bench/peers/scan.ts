// Selfware as one of the measured search systems while nothing is indexed yet: a scan of the plain texts.

import { createScan } from '../../../server/src/core/index/search/scan.ts';
import type { System } from './system.ts';

/** The system. */
export const scan: System = {
  name: 'Selfware, not indexed yet',
  absent: null,
  async build({ files }) {
    // The scan of files on disk reads the texts in these two encodings.
    const texts = files.map(({ path, text }) => ({ path, text, plain: Buffer.from(text).toString('latin1') }));
    return {
      search(query, top) {
        const scanned = createScan(query);
        if (!scanned || top <= 0) return [];
        for (const { path, text, plain } of texts) scanned.add(path, scanned.isPlain ? plain : text);
        return scanned.findBest(top);
      },
    };
  },
};
