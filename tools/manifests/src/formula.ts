/** Evaluates a formula of KEDA: numbers, names, `+ - * /`, parentheses, `max` and `min`. */
export function evaluateFormula(formula: string, values: Readonly<Record<string, number>>): number {
  const tokens = formula.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|\S/g) ?? [];
  let next = 0;
  const fault = (): Error =>
    new Error(`the formula "${formula}" cannot be evaluated at "${tokens[next] ?? 'its end'}" (part ${next + 1})`);
  const accept = (token: string): boolean => {
    if (tokens[next] !== token) return false;
    next += 1;
    return true;
  };
  const expect = (token: string): void => {
    if (!accept(token)) throw fault();
  };
  const parseArguments = (): number[] => {
    const all = [sum()];
    while (accept(',')) all.push(sum());
    expect(')');
    return all;
  };
  const operand = (): number => {
    if (accept('(')) {
      const value = sum();
      expect(')');
      return value;
    }
    const token = tokens[next] ?? '';
    if ((token === 'max' || token === 'min') && tokens[next + 1] === '(') {
      next += 2;
      return Math[token](...parseArguments());
    }
    const value = /^\d/.test(token) ? Number(token) : values[token];
    if (value === undefined) throw fault();
    next += 1;
    return value;
  };
  const product = (): number => {
    let value = operand();
    for (;;) {
      if (accept('*')) value *= operand();
      else if (accept('/')) value /= operand();
      else return value;
    }
  };
  const sum = (): number => {
    let value = product();
    for (;;) {
      if (accept('+')) value += product();
      else if (accept('-')) value -= product();
      else return value;
    }
  };
  const value = sum();
  if (next < tokens.length) throw fault();
  return value;
}
