// Hides the warning of Node 22, 23 and 24 before 24.15 that `node:sqlite` is experimental. It would appear at every
// start, and the user can do nothing about it.

/** Installs the filter. All other warnings are shown as usual. Call this before `node:sqlite` is loaded. */
export function silenceSqliteWarning(): void {
  const emit = process.emitWarning.bind(process) as (
    warning: string | Error,
    ...parameters: readonly unknown[]
  ) => void;
  process.emitWarning = ((warning: string | Error, ...parameters: readonly unknown[]) => {
    if (parameters[0] === 'ExperimentalWarning' && /\bSQLite\b/.test(String(warning))) return;
    emit(warning, ...parameters);
  }) as typeof process.emitWarning;
}
