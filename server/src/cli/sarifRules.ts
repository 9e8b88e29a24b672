// The rules as metadata of SARIF, each with its page.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../app/programPaths.ts';
import { rules } from '../core/analysis/rules.ts';
import type { SarifRule } from './writers/sarif.ts';

/** All rules, including the ones that are off by default. A page that is not installed is omitted. */
export function sarifRules(): readonly SarifRule[] {
  return rules.map(({ id, title, description, severity, page, defaultOn }) => {
    const file = join(findPackageRoot(), page);
    return {
      id,
      title,
      description,
      severity,
      page,
      defaultOn,
      help: existsSync(file) ? readFileSync(file, 'utf8') : null,
    };
  });
}
