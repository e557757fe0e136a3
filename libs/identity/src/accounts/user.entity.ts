import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person who can sign in. The account is null until the user has chosen a handle. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid')
  id!: string;

  /** Null for users of an external issuer, because the platform has not confirmed their email. */
  @Column('text', { nullable: true })
  email!: string | null;

  @Column('text', { nullable: true })
  passwordHash!: string | null;

  @Column('uuid', { nullable: true })
  accountId!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;
}
