// Finds linters in the scripts of package.json that no longer fail above a number of warnings.

/** Matches the name of a linter where a command may start a program. */
const LINTER_PATTERN =
  /(?<=^|[\s"'(]|\.bin\/)(eslint|eslint_d|stylelint|oxlint|next lint|ng lint|nx lint|vue-cli-service lint|svelte-check|vue-tsc|xo|solhint|sass-lint|markuplint)(?=$|[\s"')@])/g;
/** Matches a quoted string, or the end of a command. */
const COMMAND_END_PATTERN = /"[^"\n]*"|'[^'\n]*'|(&&|\|\|?|;|\n)/g;
/** Matches the option that sets the maximum number of warnings. */
const LIMIT_PATTERN = /(?:^|\s)--max-warnings\b/;

/** The linters that had a limit of warnings and still run, but now without any known limit. */
export function findDroppedWarningLimits(before: string, after: string): readonly string[] {
  const [commandsBefore, commandsAfter] = [listCommands(before), listCommands(after)];
  const limitedLintersNow = commandsAfter.filter((command) => LIMIT_PATTERN.test(command)).map(findLinter);
  // A limit that is passed on, as by `npm run lint -- --max-warnings 0`, may belong to any linter.
  if (limitedLintersNow.includes(null)) return [];
  const limitedLintersBefore = new Set(commandsBefore.filter((command) => LIMIT_PATTERN.test(command)).map(findLinter));
  const linters = commandsAfter.flatMap((command) => [...command.matchAll(LINTER_PATTERN)].map(([name]) => name));
  return [...limitedLintersBefore]
    .filter((linter) => linter !== null && linters.includes(linter) && !limitedLintersNow.includes(linter))
    .map((linter) => `${linter} --max-warnings`);
}

/** The linter to which a limit in this command belongs; null if unknown. */
function findLinter(command: string): string | null {
  return [...command.slice(0, LIMIT_PATTERN.exec(command)?.index).matchAll(LINTER_PATTERN)].at(-1)?.[0] ?? null;
}

/** The commands of all scripts. */
function listCommands(manifest: string): readonly string[] {
  return readScripts(manifest).flatMap((script) =>
    script.replace(COMMAND_END_PATTERN, (text, end?: string) => (end === undefined ? text : '\0')).split('\0'),
  );
}

function readScripts(manifest: string): readonly string[] {
  try {
    const { scripts } = JSON.parse(manifest) as { readonly scripts?: unknown };
    return Object.values(scripts ?? {}).filter((script) => typeof script === 'string');
  } catch {
    return [];
  }
}
