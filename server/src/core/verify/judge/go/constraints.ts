// Reads the build constraints of a Go file: lines such as `//go:build linux`, and suffixes of its name
// (`a_windows_test.go`).

const SYSTEM_NAMES =
  'aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos';
const MACHINE_NAMES =
  '386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le ppc ppc64 ppc64le riscv riscv64';
const MORE_MACHINES = 's390 s390x sparc sparc64 wasm';
const CONSTRAINT_SUFFIXES: ReadonlySet<string> = new Set(
  `${SYSTEM_NAMES} ${MACHINE_NAMES} ${MORE_MACHINES}`.split(' '),
);

/**
 * The constraints: lines as written, suffixes of the name such as `_windows`, and the whole name of a file that Go
 * ignores (`_a.go`). Empty if the file is always built.
 */
export function listBuildConstraints(path: string, text: string): readonly string[] {
  const head = text.split(/^package\s/m)[0] ?? '';
  const lines = head.match(/^\/\/(?:go:build|[ \t]*\+build)[ \t].*$/gm) ?? [];
  const name = path.replace(/^.*\//, '');
  const words = name
    .replace(/(?:_test)?\.go$/, '')
    .split('_')
    .slice(1);
  const suffixWords = words
    .slice(-2)
    .filter((_word, index, all) => all.slice(index).every((word) => CONSTRAINT_SUFFIXES.has(word)));
  const ignoredName = /^[._]/.test(name) ? [name] : [];
  return [
    ...lines.map((line) => line.replace(/\s+/g, ' ').trim()),
    ...suffixWords.map((word) => `_${word}`),
    ...ignoredName,
  ];
}
