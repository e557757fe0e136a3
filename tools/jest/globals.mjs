// What test files import from `@jest/globals`. Modules stay loaded for many test files, each of which has new globals of Jest.
const ofRunningTest = (name) =>
  new Proxy(() => undefined, {
    apply: (_, self, args) => Reflect.apply(globalThis[name], self, args),
    get: (_, member) => globalThis[name][member],
  });

export const afterAll = ofRunningTest('afterAll');
export const afterEach = ofRunningTest('afterEach');
export const beforeAll = ofRunningTest('beforeAll');
export const beforeEach = ofRunningTest('beforeEach');
export const describe = ofRunningTest('describe');
export const expect = ofRunningTest('expect');
export const it = ofRunningTest('it');
export const jest = ofRunningTest('jest');
export const test = ofRunningTest('test');
