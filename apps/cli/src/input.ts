type Values = ReadonlyMap<string, readonly string[]>;

/** The parsed arguments and options of a command. */
export class Input {
  constructor(
    private readonly args: Values,
    private readonly options: Values,
  ) {}

  /** A required argument. */
  arg(name: string): string {
    return this.args.get(name)?.[0] ?? '';
  }

  optionalArg(name: string): string | undefined {
    return this.args.get(name)?.[0];
  }

  text(name: string): string | undefined {
    return this.options.get(name)?.at(-1);
  }

  list(name: string): readonly string[] {
    return this.options.get(name) ?? [];
  }

  flag(name: string): boolean {
    return this.options.has(name);
  }
}
