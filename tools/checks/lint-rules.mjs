import { importRule } from './import-rule.mjs';

const rule = (message, create) => ({
  meta: { type: 'problem', schema: [], messages: { refused: message } },
  create: (context) => create((node, data) => context.report({ node, messageId: 'refused', data }), context),
});

const isEnvironment = (node) =>
  !node.computed && node.property.name === 'env' && node.object.type === 'Identifier' && node.object.name === 'process';

/** Functions and members of instances; whatever they create belongs to one call or object. */
const isScope = ({ type, static: isStatic }) => /Function/.test(type) || (type === 'PropertyDefinition' && !isStatic);

const refusedFolders = new Set(['shared', 'common', 'utils', 'util', 'helpers', 'misc']);
const relative = new Set(['What', 'Who', 'Whoever', 'Those', 'Whether', 'Where']);
const metaphor =
  /\b(books?|house|rooms?|doorbell|desk|purses?|shop|voices?|yard|keeper|housekeeper|foreseen?|whoever|nobody|somebody|anew|shall)\b/i;
const kebab = /^\.?[a-z0-9]+([.-][a-z0-9]+)*$/;

/** Lint rules that no published plugin has, for oxlint. */
export default {
  meta: { name: 'lensforge' },
  rules: {
    imports: importRule,
    'named-exports': rule(
      'Export by name: default exports are renamed by importers, and `export *` hides what a package exports.',
      (report) => ({
        ExportDefaultDeclaration: (node) => report(node),
        ExportAllDeclaration: (node) => report(node),
      }),
    ),
    'environment-at-the-edge': rule(
      'Only the configuration classes of libs/edge and the tools read the environment; take the value as a parameter.',
      (report) => ({
        MemberExpression: (node) => isEnvironment(node) && report(node),
        'ImportDeclaration[source.value=/^(node:)?process$/] ImportSpecifier[imported.name="env"]': (node) =>
          report(node),
      }),
    ),
    'modules-at-the-edge': rule(
      'Nest modules live in apps/ and libs/edge only; write a function or a class.',
      (report) => ({
        'Decorator[expression.callee.name=/^(Module|Global)$/]': (node) => report(node),
      }),
    ),
    'reasoned-disable': rule('Say why: // oxlint-disable-next-line <rule> -- <reason>', (report, context) => ({
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (/^\s*(es|ox)lint-disable/.test(comment.value) && !/\s--\s+\S/.test(comment.value)) report(comment);
        }
      },
    })),
    'plain-comments': rule('"{{word}}": {{advice}}', (report, context) => ({
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const [, first] = /^\*\s*(?:\*\s*)?([A-Za-z]+)/.exec(comment.value) ?? [];
          if (comment.type === 'Block' && relative.has(first)) {
            report(comment, { word: first, advice: 'open a doc comment with the thing or a verb.' });
          }
          const [word] = metaphor.exec(comment.value) ?? [];
          if (word) report(comment, { word, advice: 'use the word of the field (libs/contracts/README.md).' });
        }
      },
    })),
    'no-module-weak-map': rule(
      'A WeakMap of a module hides state: use perDatabase of libs/database, or a member of the class that it is about.',
      (report, context) => ({
        'NewExpression[callee.name="WeakMap"]': (node) =>
          !context.sourceCode.getAncestors(node).some(isScope) && report(node),
      }),
    ),
    'folder-names': rule(
      '"{{name}}": kebab-case, and no folder called shared, common, utils, helpers or misc.',
      (report, context) => ({
        Program(node) {
          const inside = context.filename.slice(context.cwd.length + 1).replaceAll('\\', '/');
          for (const name of inside.split('/')) {
            if (refusedFolders.has(name.replace(/\..*$/, '')) || !kebab.test(name)) report(node, { name });
          }
        },
      }),
    ),
  },
};
