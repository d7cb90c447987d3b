// The order of test files: those of the long tier first, because the fuzzers among them take a quarter of an hour each and would otherwise run
// alone at the end, while the other processors have nothing left to do. Vitest's own order, by size, is kept within both groups.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith('.long.test.ts');
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
