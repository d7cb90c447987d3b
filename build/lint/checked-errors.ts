// Refuses casts to AppError: what was thrown may be anything, and `toAppError` converts it.
import type { Rule, Visited } from './oxlint.ts';

const CHECKED = new Set(['AppError', 'ErrorData']);
const MESSAGE = 'Anything can be thrown: take it as unknown, and let toAppError() make an AppError of it.';

export const checkedErrors: Rule = {
  create: (context) => {
    const check = (node: Visited<'TSAsExpression'> | Visited<'TSTypeAssertion'>): void => {
      const { typeAnnotation: type } = node;
      const name = type.type === 'TSTypeReference' && 'name' in type.typeName ? type.typeName.name : '';
      if (CHECKED.has(name)) context.report({ node, message: MESSAGE });
    };
    return {
      TSAsExpression: check,
      TSTypeAssertion: check,
      /** `promise.catch((thrown: AppError) => …)` is a cast, too: rejections have no type. */
      CallExpression: ({ callee, arguments: args }) => {
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
        const { name } = callee.property;
        const handler = name === 'catch' ? args[0] : name === 'then' ? args[1] : undefined;
        if (handler?.type !== 'ArrowFunctionExpression' && handler?.type !== 'FunctionExpression') return;
        const [thrown] = handler.params;
        const type = thrown && 'typeAnnotation' in thrown ? thrown.typeAnnotation?.typeAnnotation : undefined;
        if (thrown && type && type.type !== 'TSUnknownKeyword') context.report({ node: thrown, message: MESSAGE });
      },
    };
  },
};
