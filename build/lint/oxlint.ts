// The types of a rule: oxlint exports them only as what its tester takes.
import type { RuleTester } from 'oxlint/plugins-dev';

type CreateRule = Exclude<Parameters<RuleTester['run']>[1], { createOnce: unknown }>;
type Visitor = ReturnType<CreateRule['create']>;

export interface Rule {
  readonly create: (context: Parameters<CreateRule['create']>[0]) => Visitor;
}

/** The node visited as `K` (github.com/estree/estree, and the TypeScript nodes of typescript-eslint). */
export type Visited<K extends keyof Visitor> = Parameters<NonNullable<Visitor[K]>>[0];
/** Whatever may be called, compared or given to a call. */
export type Value =
  | Visited<'BinaryExpression'>['left']
  | Visited<'CallExpression'>['arguments'][number]
  | Visited<'ChainExpression'>['expression'];
