// Which repositories and which of their files may be learned from.

/**
 * Repositories of the benchmarks that the model is measured on. They, their forks and vendored copies of them are never
 * learned
 * from: a figure on code that was seen in training would say nothing.
 */
const measuredOn = new Set(
  (
    'aiohttp fastapi flask httpx model2vec pydantic requests starlette axios express redux gin cobra chi gson commons-lang jackson-databind guzzle monolog ' +
    'framework sinatra rack rails tokio trpc messagepack-csharp ktor cats alamofire click serde zod json phoenix axum vitest newtonsoft.json dapper ' +
    'kotlinx.coroutines exposed circe http4s vapor plug ecto abseil-cpp fmt curl redis libuv bats-core aeson telescope.nvim lazy.nvim zig nvm bash-it pandoc ' +
    'xmonad mini.nvim zls zig-clap clap typeorm coclr laravel'
  ).split(' '),
);

/** Folders that hold the code of others, or none that anyone wrote. */
const foreign =
  /(^|\/)(vendor|vendored|_vendor|third[-_]?party|3rdparty|externals?|extern|deps|node_modules|bundled|dist|build|out|target|generated|gen|fixtures?|testdata|snapshots?|__snapshots__|locales?|i18n|migrations)\//i;
const madeByMachine =
  /(\.min\.|\.bundle\.|\.pb\.|_pb2?\.|\.generated\.|\.g\.|\.designer\.|-lock|zz_generated|\.d\.[cm]?ts$)/i;
const sourceFile =
  /\.(py|tsx?|mts|cts|jsx?|mjs|cjs|go|rs|java|kts?|cs|c|h|cc|cpp|cxx|hpp|hh|hxx|rb|php|swift|scala|lua|exs?|sh|bash|zsh|hs|zig)$/i;

/** `owner+name` as the folder of a git directory is called. */
export function isMeasuredOn(repository: string): boolean {
  const [, name = repository] = repository.split('+');
  return measuredOn.has(name.toLowerCase());
}

/** Is the path source text that people of this repository wrote? */
export function isOwnSource(path: string): boolean {
  if (!sourceFile.test(path) || foreign.test(path) || madeByMachine.test(path)) return false;
  return !path
    .toLowerCase()
    .split('/')
    .slice(0, -1)
    .some((folder) => measuredOn.has(folder) && folder !== 'json' && folder !== 'framework' && folder !== 'redis');
}

const licences: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['GPL family', /GNU (AFFERO |LESSER |LIBRARY )?GENERAL PUBLIC LICEN[SC]E/i],
  [
    'other',
    /Mozilla Public License|Business Source License|Server Side Public|Commons Clause|Eclipse Public License|Elastic License|Common Development and Distribution/i,
  ],
  ['Apache-2.0', /Apache License\s*,?\s*(Version)?\s*2\.0/i],
  ['BSL-1.0', /Boost Software License/i],
  ['Zlib', /This software is provided 'as-is'.{0,400}altered from any source|zlib License/is],
  ['ISC', /Permission to use, copy, modify, and\/or distribute this software|ISC License/i],
  ['BSD', /Redistribution and use in source and binary forms/i],
  ['MIT', /Permission is hereby granted, free of charge, to any person obtaining|\bMIT License\b/i],
  ['Unlicense', /This is free and unencumbered software released into the public domain/i],
];
const permissive = new Set(['Apache-2.0', 'BSL-1.0', 'Zlib', 'ISC', 'BSD', 'MIT', 'Unlicense']);

/**
 * Name of the licence that the texts of a repository's licence files give, or null where none of them is permissive.
 */
export function permissiveLicence(texts: readonly string[]): string | null {
  const names = texts.map(
    (text) => licences.find(([, pattern]) => pattern.test(text.replaceAll(/\s+/g, ' ')))?.[0] ?? 'other',
  );
  // A choice of licences is fine when one can be chosen that is permissive; a single foul one is not.
  return names.find((name) => permissive.has(name)) ?? null;
}

/** At the root, or in a package of a repository of several. */
export const licenceFile = /^([^/]+\/)?(\w+[-_.])?(LICEN[SC]E|COPYING|UNLICENSE)([-_.][^/]*)?$/i;
