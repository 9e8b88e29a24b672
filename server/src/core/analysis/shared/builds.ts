// Recognises conditions that a bundler evaluates when it builds. The bundler removes one of the two branches, so both
// must stay as they are.

import type { ts } from 'ts-morph';

/**
 * True for a condition about the build: `import.meta.env.PROD`, `import.meta.client`, `process.env.NODE_ENV === …`,
 * `__DEV__`.
 */
export function isBuildCondition(condition: ts.Expression): boolean {
  return /\bimport\.meta\.(env|client|server|browser|dev|prod)\b|\bprocess\.env\.NODE_ENV\b|\b__(DEV|PROD|BROWSER|SSR)__\b/.test(
    condition.getText(),
  );
}
