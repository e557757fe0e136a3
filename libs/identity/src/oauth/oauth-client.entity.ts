import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An OAuth client. All clients are public, without a secret. */
@Entity('oauth_clients')
export class OAuthClient {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { array: true })
  redirectUris!: string[];

  /** `tool`: registered itself with the tools' issuer. `first_party`: one of the platform's own clients. */
  @Column('text')
  kind!: 'tool' | 'first_party';

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;
}
