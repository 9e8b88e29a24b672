// Hides the warning that `node:sqlite` is experimental, which Node 22, 23 and 24 before 24.15 show at every start. The
// user can do nothing about it.

/**
 * Replaces the function that emits warnings by one that skips this warning. It must be called before `node:sqlite` is
 * loaded.
 */
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
