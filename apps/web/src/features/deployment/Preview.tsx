import { deploymentRoutes } from '@kustos/contract/deployment'
import { Card } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../app/query.ts'
import { FormSection, Wide } from '../../ui/contract-form/FormSection.tsx'
import styles from './deployment.module.css'

interface Props {
  /** The repository that it starts from; a fork goes to the node of its source. Empty until one is chosen. */
  readonly source: string
  readonly repository: string | null
  /** Left out where the server alone knows it. */
  readonly fqdn?: string | null
}

/** What a request will make, while it is typed. */
export function Preview({ source, repository, fqdn }: Props) {
  const { t } = useTranslation()
  const { data: options } = useRoute(
    deploymentRoutes.readRequestOptions,
    source === '' ? {} : { query: { source } },
    { placeholderData: keepPreviousData },
  )
  const missing = t('deployment.request.preview.missing')
  const node = options?.node === null ? t('deployment.request.preview.noNode') : options?.node
  const facts = [
    { key: 'repository', value: repository },
    ...(fqdn === undefined ? [] : [{ key: 'fqdn', value: fqdn } as const]),
    { key: 'node', value: node },
  ] as const
  return (
    <FormSection title={t('deployment.request.sections.preview')}>
      <Wide>
        <Card p="sm">
          <dl className={styles.preview}>
            {facts.map(({ key, value }) => (
              <div key={key}>
                <dt>{t(`deployment.request.preview.${key}`)}</dt>
                <dd className={styles.mono}>{value ?? missing}</dd>
              </div>
            ))}
          </dl>
        </Card>
      </Wide>
    </FormSection>
  )
}
