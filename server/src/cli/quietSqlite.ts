// Node 22 and 23 call `node:sqlite` experimental on standard error, at every start: the person who runs a command can
// do nothing about it.

/** All other warnings are shown as usual. Call it before `node:sqlite` is loaded. */
export function quietSqlite(): void {
  const emit = process.emitWarning.bind(process) as (warning: string | Error, ...rest: readonly unknown[]) => void;
  process.emitWarning = ((warning: string | Error, ...rest: readonly unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && /\bSQLite\b/.test(String(warning))) return;
    emit(warning, ...rest);
  }) as typeof process.emitWarning;
}
