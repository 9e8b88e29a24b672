// The modules of Python's standard library (3.11) whose import changes nothing that other code sees.

import { createWordSet } from '../../../util/wordSet.ts';

export const STANDARD_MODULES: ReadonlySet<string> = createWordSet(`
  abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2
  cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
  configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal
  difflib dis distutils doctest email enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
  functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp
  importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox mailcap marshal
  math mimetypes mmap modulefinder msvcrt multiprocessing netrc nis nntplib numbers operator optparse os
  pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib pprint profile pstats pty pwd
  py_compile pyclbr pydoc queue quopri random re reprlib resource runpy sched secrets select selectors shelve
  shlex shutil signal smtpd smtplib sndhdr socket socketserver spwd sqlite3 ssl stat statistics string
  stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios
  textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty types typing
  unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml
  xmlrpc zipapp zipfile zipimport zlib zoneinfo
`);
