interface Props {
  names: readonly string[];
  /** The places of columns with numbers. */
  numbers?: readonly number[];
}

/** The heads of the columns of a table. */
export const ColumnHeads = ({ names, numbers = [] }: Props) => (
  <thead>
    <tr>
      {names.map((name, at) => (
        <th key={name} scope="col" className={numbers.includes(at) ? 'number' : undefined}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
);
