// Which file has which suite.
import type { SuiteId } from '#shared/bench/suites.ts';
import type { BenchSuite } from '../suite.ts';

export const SUITE_FILES: Readonly<Partial<Record<SuiteId, () => Promise<BenchSuite>>>> = {};
