// Creates the descriptions of the rules for SARIF, each with its page.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../app/programPaths.ts';
import { rules } from '../core/analysis/rules.ts';
import type { SarifRule } from './writers/sarif.ts';

/** All rules, including those that are off by default. If the page of a rule is not installed, its `help` is null. */
export function createSarifRules(): readonly SarifRule[] {
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
