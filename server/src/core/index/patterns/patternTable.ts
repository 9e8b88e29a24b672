// The forms of definitions in languages without a grammar: one row per language, matched line by line.

import type { LanguagePatterns } from './languagePatterns.ts';

const SLASHES_PATTERN = /\/\/.*$/;
const HASH_PATTERN = /(^|\s)#.*$/;
const DASHES_PATTERN = /--.*$/;
const SEMICOLON_PATTERN = /;.*$/;
const PERCENT_PATTERN = /%.*$/;

/** Definitions in the scripts of Astro, Vue and Svelte. */
const SCRIPT_DEFINITIONS: LanguagePatterns['definitions'] = [
  ['class', /^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+(?<name>[\w$]+)/d],
  ['interface', /^\s*(?:export\s+)?interface\s+(?<name>[\w$]+)/d],
  ['type', /^\s*(?:export\s+)?type\s+(?<name>[\w$]+)\s*[=<]/d],
  ['enum', /^\s*(?:export\s+)?(?:const\s+)?enum\s+(?<name>[\w$]+)/d],
  ['function', /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(?<name>[\w$]+)/d],
  [
    'function',
    /^\s*(?:export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|[\w$]+)(?:\s*:[^=]+)?\s*=>/d,
  ],
  [
    'method',
    /^\s{2,}(?:async\s+|get\s+|set\s+|static\s+)*(?!if\b|for\b|while\b|switch\b|catch\b|function\b|return\b)(?<name>[\w$]+)\s*\([^)]*\)\s*\{\s*$/d,
  ],
];

/** The rows, by the name of the language. */
export const LANGUAGE_PATTERNS: Readonly<Record<string, LanguagePatterns>> = {
  astro: {
    extensions: 'astro',
    end: 'braces',
    comment: SLASHES_PATTERN,
    definitions: SCRIPT_DEFINITIONS,
    within: { from: /^---\s*$/, to: /^---\s*$/ },
  },
  clojure: {
    extensions: 'clj cljs cljc edn bb',
    end: 'parens',
    comment: SEMICOLON_PATTERN,
    hiddenPattern: /^\s*\(defn-|\^:private/,
    definitions: [
      ['module', /^\s*\(ns\s+(?:\^\S+\s+)*(?<name>[\w.*+!?<>=/-]+)/d],
      ['function', /^\s*\((?:defn-?|defmulti|defmethod|deftest)\s+(?:\^\S+\s+)*(?<name>[\w.*+!?<>=/-]+)/d],
      ['macro', /^\s*\(defmacro\s+(?<name>[\w.*+!?<>=/-]+)/d],
      ['interface', /^\s*\((?:defprotocol|definterface)\s+(?<name>[\w.*+!?<>=/-]+)/d],
      ['class', /^\s*\((?:defrecord|deftype)\s+(?<name>[\w.*+!?<>=/-]+)/d],
      ['variable', /^\s*\((?:def|defonce)\s+(?:\^\S+\s+)*(?<name>[\w.*+!?<>=/-]+)/d],
    ],
  },
  cmake: {
    extensions: 'cmake',
    names: 'cmakelists.txt',
    end: 'indent',
    comment: HASH_PATTERN,
    definitions: [
      ['function', /^\s*function\s*\(\s*(?<name>[\w-]+)/di],
      ['macro', /^\s*macro\s*\(\s*(?<name>[\w-]+)/di],
      ['module', /^\s*(?:project|add_library|add_executable|add_custom_target)\s*\(\s*(?<name>[\w.${}:-]+)/di],
    ],
  },
  crystal: {
    extensions: 'cr',
    end: 'indent',
    comment: HASH_PATTERN,
    hiddenPattern: /^\s*(?:private|protected)\b/,
    definitions: [
      ['class', /^\s*(?:private\s+)?(?:abstract\s+)?(?:class|struct)\s+(?<name>[\w:]+)/d],
      ['module', /^\s*(?:private\s+)?(?:module|lib)\s+(?<name>[\w:]+)/d],
      ['enum', /^\s*(?:private\s+)?enum\s+(?<name>[\w:]+)/d],
      ['method', /^\s*(?:(?:private|protected|abstract)\s+)*(?:def|fun)\s+(?:self\.)?(?<name>[^\s(:]+)/d],
      ['macro', /^\s*(?:private\s+)?macro\s+(?<name>\w+)/d],
      ['constant', /^\s*(?<name>[A-Z][A-Z0-9_]+)\s*=/d],
    ],
  },
  dart: {
    extensions: 'dart',
    end: 'braces',
    comment: SLASHES_PATTERN,
    hiddenPattern: /\b_\w+\s*(?:\(|=|;|\{|<|extends\b|with\b|on\b)/,
    definitions: [
      [
        'class',
        /^\s*(?:(?:abstract|sealed|base|final|interface|mixin)\s+)*(?:class|mixin|extension(?:\s+type)?)\s+(?!on\b)(?<name>\w+)/d,
      ],
      ['enum', /^\s*enum\s+(?<name>\w+)/d],
      ['type', /^\s*typedef\s+(?<name>\w+)/d],
      ['method', /^\s*(?:factory|const)\s+(?<name>[A-Z][\w.]*)\s*\(/d],
      [
        'function',
        /^\s*(?:(?:static|external|late|covariant)\s+)*(?!return\b|else\b|await\b|throw\b|new\b|if\b|case\b)(?:[\w.]+(?:<.*>)?\??\s+)(?:get\s+|set\s+|operator\s+)?(?<name>\w+|[=+\-*/<>[\]~%&|^]+)(?:<[^>]*>)?\s*(?:\(|=>|async\b|\{)/d,
      ],
      ['constant', /^\s*(?:static\s+)?const\s+(?:[\w<>?]+\s+)?(?<name>\w+)\s*=/d],
    ],
  },
  docker: {
    extensions: 'dockerfile containerfile',
    names: 'dockerfile containerfile',
    end: 'line',
    comment: /^\s*#.*$/,
    definitions: [
      ['module', /^FROM\s+\S+\s+AS\s+(?<name>[\w.-]+)/di],
      ['variable', /^(?:ARG|ENV)\s+(?<name>\w+)/di],
    ],
  },
  erlang: {
    extensions: 'erl hrl escript',
    end: 'terminator',
    terminator: /\.\s*$/,
    comment: PERCENT_PATTERN,
    definitions: [
      ['module', /^-module\(\s*(?<name>\w+)/d],
      ['class', /^-record\(\s*(?<name>\w+)/d],
      ['constant', /^-define\(\s*(?<name>\w+)/d],
      ['type', /^-(?:type|opaque)\s+(?<name>\w+)/d],
      ['function', /^-callback\s+(?<name>\w+)/d],
      ['function', /^(?<name>[a-z]\w*|'[^']+')\s*\(/d],
    ],
  },
  fish: {
    extensions: 'fish',
    end: 'indent',
    comment: HASH_PATTERN,
    definitions: [['function', /^\s*function\s+(?<name>[\w:.-]+)/d]],
  },
  fsharp: {
    extensions: 'fs fsi fsx',
    end: 'indent',
    comment: SLASHES_PATTERN,
    hiddenPattern: /\bprivate\b/,
    definitions: [
      ['module', /^\s*(?:module|namespace)\s+(?:(?:rec|private|internal|public)\s+)*(?<name>[\w.]+)/d],
      ['type', /^\s*(?:type|and)\s+(?:(?:private|internal|public)\s+)*(?<name>\w+)/d],
      [
        'method',
        /^\s*(?:abstract|static\s+member|member|override|default)\s+(?:(?:private|internal|inline)\s+)*(?:\w+\.)?(?<name>\w+)/d,
      ],
      ['function', /^\s{0,4}let\s+(?:(?:rec|inline|private|internal|mutable)\s+)*(?<name>\w+|\([^)]+\)|``[^`]+``)/d],
    ],
  },
  graphql: {
    extensions: 'graphql gql graphqls',
    end: 'braces',
    comment: HASH_PATTERN,
    definitions: [
      ['class', /^\s*(?:extend\s+)?(?:type|input)\s+(?<name>\w+)/d],
      ['interface', /^\s*(?:extend\s+)?interface\s+(?<name>\w+)/d],
      ['enum', /^\s*(?:extend\s+)?enum\s+(?<name>\w+)/d],
      ['type', /^\s*(?:extend\s+)?(?:union|scalar)\s+(?<name>\w+)/d],
      ['function', /^\s*(?:query|mutation|subscription|fragment|directive)\s+@?(?<name>\w+)/d],
    ],
  },
  groovy: {
    extensions: 'groovy gradle gvy',
    names: 'jenkinsfile',
    end: 'braces',
    comment: SLASHES_PATTERN,
    hiddenPattern: /^\s*(?:private|protected)\b/,
    definitions: [
      ['class', /^\s*(?:(?:public|private|abstract|final|static)\s+)*(?:class|trait)\s+(?<name>\w+)/d],
      ['interface', /^\s*(?:public\s+)?@?interface\s+(?<name>\w+)/d],
      ['enum', /^\s*(?:public\s+)?enum\s+(?<name>\w+)/d],
      [
        'function',
        /^\s*(?:(?:public|private|protected|static|final|def|void)\s+)+(?:[\w<>[\].?]+\s+)?(?<name>\w+|"[^"]+"|'[^']+')\s*\([^)]*\)[^;={]*\{/d,
      ],
      ['module', /^\s*(?:tasks\.register|task)\b\s*\(?\s*["']?(?<name>[\w-]+)/d],
    ],
  },
  hcl: {
    extensions: 'tf tfvars hcl nomad',
    end: 'braces',
    comment: /(^|\s)(#|\/\/).*$/,
    definitions: [
      ['class', /^(?:resource|data)\s+"[^"]+"\s+"(?<name>[^"]+)"/d],
      ['module', /^(?:module|provider|terraform)\s+"(?<name>[^"]+)"/d],
      ['variable', /^(?:variable|output)\s+"(?<name>[^"]+)"/d],
    ],
  },
  julia: {
    extensions: 'jl',
    end: 'indent',
    comment: HASH_PATTERN,
    definitions: [
      ['module', /^\s*(?:bare)?module\s+(?<name>\w+)/d],
      ['class', /^\s*(?:@\w+\s+)?(?:mutable\s+)?struct\s+(?<name>[\p{L}_]\w*)/du],
      ['type', /^\s*(?:abstract|primitive)\s+type\s+(?<name>\w+)/d],
      ['function', /^\s*(?:@\w+\s+)*function\s+(?:[\w.]+\.)?(?<name>[\p{L}_][\p{L}\p{N}_!]*)/du],
      ['macro', /^\s*macro\s+(?<name>\w+)/d],
      ['function', /^(?:@\w+\s+)*(?<name>[\p{L}_][\p{L}\p{N}_!.]*)\([^=]*\)(?:\s*where\s[^=]*)?\s*=(?!=)/du],
      ['constant', /^const\s+(?<name>\w+)/d],
    ],
  },
  lisp: {
    extensions: 'el lisp lsp scm rkt ss sld',
    end: 'parens',
    comment: SEMICOLON_PATTERN,
    definitions: [
      [
        'function',
        /^\s*\((?:cl-)?(?:defun|defsubst|defmethod|defgeneric|define-command|define-interactive-function)\*?\s+(?<name>[^\s()]+)/d,
      ],
      ['macro', /^\s*\((?:cl-)?(?:defmacro|define-syntax|define-syntax-rule)\s+\(?(?<name>[^\s()]+)/d],
      ['class', /^\s*\((?:cl-)?(?:defclass|defstruct|struct|define-record-type)\s+\(?(?<name>[^\s()]+)/d],
      ['variable', /^\s*\((?:defvar|defparameter|defconst|defconstant|defcustom|defface)\s+(?<name>[^\s()]+)/d],
      ['function', /^\s*\(define\s+\((?<name>[^\s()]+)/d],
      ['variable', /^\s*\(define\s+(?<name>[^\s()]+)/d],
    ],
  },
  make: {
    extensions: 'mk mak',
    names: 'makefile gnumakefile justfile',
    end: 'indent',
    comment: /^#.*$/,
    definitions: [
      ['function', /^@?(?<name>[\w][\w./-]*)(?:\s+[\w./-]+)*\s*::?(?!=)/d],
      ['macro', /^define\s+(?<name>[\w.-]+)/d],
      ['variable', /^(?:export\s+)?(?<name>[A-Z][A-Z0-9_]*)\s*[:?+]?=/d],
    ],
  },
  nim: {
    extensions: 'nim nims nimble',
    end: 'indent',
    comment: HASH_PATTERN,
    definitions: [
      ['function', /^\s*(?:proc|func|method|iterator|converter)\s+(?<name>\w+|`[^`]+`)/d],
      ['macro', /^\s*(?:template|macro)\s+(?<name>\w+)/d],
      [
        'class',
        /^\s*(?:type\s+)?(?<name>[A-Z]\w*)\*?(?:\[[^\]]*\])?\s*(?:\{[^}]*\}\s*)?=\s*(?:ref\s+|ptr\s+)?(?:object|enum|tuple|concept)\b/d,
      ],
      ['constant', /^const\s+(?<name>\w+)/d],
    ],
  },
  objectiveC: {
    extensions: 'm mm',
    end: 'braces',
    until: [/^\s*@(?:interface|implementation|protocol)\b/, /^\s*@end\b/],
    comment: SLASHES_PATTERN,
    hiddenPattern: /^\s*static\b/,
    definitions: [
      ['class', /^\s*@(?:interface|implementation)\s+(?<name>\w+)/d],
      ['interface', /^\s*@protocol\s+(?<name>\w+)(?!.*;)/d],
      ['method', /^\s*[-+]\s*\([^)]*\)\s*(?<name>\w+)/d],
      ['enum', /^\s*typedef\s+(?:NS_ENUM|NS_OPTIONS)\s*\(\s*\w+\s*,\s*(?<name>\w+)/d],
      ['macro', /^\s*#\s*define\s+(?<name>\w+)\(/d],
      ['function', /^(?:static\s+|extern\s+|inline\s+)*[\w]+[\w\s*]*[\s*](?<name>\w+)\s*\([^;]*\)\s*\{?\s*$/d],
    ],
  },
  ocaml: {
    extensions: 'ml mli mll mly',
    end: 'indent',
    comment: /(?!)/, // Matches nothing: OCaml has only block comments.
    definitions: [
      ['module', /^\s*module\s+(?:type\s+|rec\s+)?(?<name>[A-Z]\w*)/d],
      ['class', /^\s*class\s+(?:virtual\s+)?(?<name>\w+)/d],
      ['type', /^\s*(?:type|and)\s+(?:nonrec\s+)?(?:\([^)]*\)\s*|[+-]?'\w+\s+)?(?<name>[a-z_]\w*)(?=\s*(?:=|$))/d],
      [
        'function',
        /^\s{0,4}(?:let|and)\s+(?:rec\s+|inline\s+)?(?<name>[a-z_][\w']*|\(\s*[^\s\w)]+\s*\))(?![\w'])(?!.*\bin\s*$)/d,
      ],
      ['function', /^\s*(?:val|external|method)\s+(?:private\s+)?(?<name>[a-z_][\w']*)/d],
    ],
  },
  pascal: {
    extensions: 'pas dpr lpr',
    end: 'indent',
    comment: SLASHES_PATTERN,
    definitions: [
      ['module', /^\s*(?:unit|program|library)\s+(?<name>[\w.]+)/di],
      ['class', /^\s*(?<name>\w+)\s*=\s*(?:packed\s+)?(?:class|record|interface|object)\b/di],
      ['function', /^\s*(?:class\s+)?(?:procedure|function|constructor|destructor)\s+(?:\w+\.)?(?<name>\w+)/di],
    ],
  },
  perl: {
    extensions: 'pl pm t psgi',
    end: 'braces',
    comment: HASH_PATTERN,
    hiddenPattern: /\bsub\s+_/,
    definitions: [
      ['module', /^\s*package\s+(?<name>[\w:]+)/d],
      ['function', /^\s*(?:(?:my|our)\s+)?(?:sub|method)\s+(?<name>[\w:]+)/d],
      ['class', /^\s*(?:class|role)\s+(?<name>[\w:]+)/d],
      ['constant', /^\s*use\s+constant\s+(?<name>\w+)/d],
    ],
  },
  powershell: {
    extensions: 'ps1 psm1 psd1',
    end: 'braces',
    comment: HASH_PATTERN,
    definitions: [
      ['function', /^\s*(?:function|filter|workflow)\s+(?:\w+:)?(?<name>[\w-]+)/di],
      ['class', /^\s*class\s+(?<name>\w+)/di],
      ['enum', /^\s*enum\s+(?<name>\w+)/di],
      ['method', /^\s+(?:(?:static|hidden)\s+)*\[[\w.[\]]+\]\s*(?<name>\w+)\s*\(/di],
    ],
  },
  proto: {
    extensions: 'proto thrift capnp fbs',
    end: 'braces',
    comment: SLASHES_PATTERN,
    definitions: [
      ['class', /^\s*(?:message|struct|table|union|exception)\s+(?<name>\w+)/d],
      ['interface', /^\s*(?:service|interface|rpc_service)\s+(?<name>\w+)/d],
      ['enum', /^\s*enum\s+(?<name>\w+)/d],
      ['method', /^\s*rpc\s+(?<name>\w+)/d],
      ['module', /^\s*(?:package|namespace)\s+(?:\w+\s+)?(?<name>[\w.]+)\s*;?\s*$/d],
    ],
  },
  r: {
    extensions: 'r rmd',
    end: 'braces',
    comment: HASH_PATTERN,
    hiddenPattern: /^\s*\./,
    definitions: [
      ['function', /^\s*[`"']?(?<name>[\w.<\-[\]$%+]+?)[`"']?\s*(?:<-|=)\s*(?:function\b|\\\()/d],
      [
        'class',
        /^\s*(?:\w+\s*<-\s*)?(?:R6::)?(?:R6Class|setClass|setRefClass|S7::new_class|new_class)\s*\(\s*["'](?<name>[\w.]+)/d,
      ],
      ['method', /^\s*(?:setMethod|setGeneric)\s*\(\s*["'](?<name>[\w.[\]$+-]+)/d],
    ],
  },
  solidity: {
    extensions: 'sol',
    end: 'braces',
    comment: SLASHES_PATTERN,
    hiddenPattern: /\b(?:private|internal)\b/,
    definitions: [
      ['class', /^\s*(?:abstract\s+)?(?:contract|library|struct)\s+(?<name>\w+)/d],
      ['interface', /^\s*interface\s+(?<name>\w+)/d],
      ['enum', /^\s*enum\s+(?<name>\w+)/d],
      ['method', /^\s*(?:function|modifier|event|error)\s+(?<name>\w+)/d],
    ],
  },
  sql: {
    extensions: 'sql psql pgsql ddl plsql pls pks pkb',
    end: 'terminator',
    terminator: /;\s*$|^\s*(?:go|\/)\s*$/i,
    comment: DASHES_PATTERN,
    definitions: [
      [
        'class',
        /^\s*create\s+(?:or\s+replace\s+)?(?:(?:global|local|temporary|temp|unlogged|external|materialized|recursive)\s+)*(?:table|view)\s+(?:if\s+not\s+exists\s+)?(?:["`[]?\w+["`\]]?\.)*["`[]?(?<name>\w+)/di,
      ],
      [
        'function',
        /^\s*create\s+(?:or\s+(?:replace|alter)\s+)?(?:definer\s*=\s*\S+\s+)?(?:function|procedure|proc|trigger|aggregate|package(?:\s+body)?)\s+(?:if\s+not\s+exists\s+)?(?:["`[]?\w+["`\]]?\.)*["`[]?(?<name>\w+)/di,
      ],
      ['type', /^\s*create\s+(?:type|domain)\s+(?:\w+\.)*"?(?<name>\w+)/di],
      [
        'variable',
        /^\s*create\s+(?:unique\s+)?(?:clustered\s+)?(?:index|sequence)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?:\w+\.)*["`[]?(?<name>\w+)/di,
      ],
      ['module', /^\s*create\s+(?:schema|database)\s+(?:if\s+not\s+exists\s+)?["`[]?(?<name>\w+)/di],
    ],
  },
  singleFile: {
    extensions: 'vue svelte',
    end: 'braces',
    comment: SLASHES_PATTERN,
    definitions: SCRIPT_DEFINITIONS,
    within: { from: /<script\b[^>]*>/i, to: /<\/script\s*>/i },
  },
  tcl: {
    extensions: 'tcl',
    end: 'braces',
    comment: HASH_PATTERN,
    definitions: [
      ['function', /^\s*(?:proc|method)\s+(?<name>[\w:]+)/d],
      ['module', /^\s*namespace\s+eval\s+(?<name>[\w:]+)/d],
    ],
  },
  vim: {
    extensions: 'vim',
    names: '.vimrc _vimrc',
    end: 'indent',
    comment: /^\s*".*$/,
    hiddenPattern: /\bs:/,
    definitions: [['function', /^\s*(?:export\s+)?(?:function|def)!?\s+(?:[sgl]:)?(?<name>[\w#.]+)/d]],
  },
  visualBasic: {
    extensions: 'vb bas vbs',
    end: 'indent',
    comment: /^\s*'.*$/,
    hiddenPattern: /\bprivate\b/i,
    definitions: [
      [
        'class',
        /^\s*(?:(?:public|private|friend|partial|mustinherit|notinheritable|shared)\s+)*(?:class|structure|module)\s+(?<name>\w+)/di,
      ],
      ['interface', /^\s*(?:(?:public|private|friend)\s+)*interface\s+(?<name>\w+)/di],
      ['enum', /^\s*(?:(?:public|private|friend)\s+)*enum\s+(?<name>\w+)/di],
      [
        'method',
        /^\s*(?:(?:public|private|protected|friend|shared|overrides|overridable|async|static)\s+)*(?:sub|function|property)\s+(?<name>\w+)/di,
      ],
    ],
  },
};
