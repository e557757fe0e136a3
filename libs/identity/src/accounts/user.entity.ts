import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody who signs in. The account is missing until a handle was chosen. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid')
  id!: string;

  /** Missing for whom an outside issuer vouches: what it calls their email was not confirmed here. */
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
