import { type NodeDetails, nodeColumns, nodesRoutes } from '@kustos/contract/nodes'
import { Button } from '@mantine/core'
import {
  IconPencil,
  IconPlugConnected,
  IconPlus,
  IconServer2,
  IconTrash,
  IconWorldSearch,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { discoveryPath, nodePath } from '../../entities/node/paths.ts'
import { useRememberListUrl } from '../../platform/list-url.ts'
import { useRoute, write } from '../../platform/query.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells, RowActions } from '../../ui/data-grid/types.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { ConnectionDialog } from './ConnectionDialog.tsx'
import { AddNodeDialog, EditNodeDialog } from './NodeDialog.tsx'

const { deleteNode, listNodes } = nodesRoutes

const getId = ({ id }: NodeDetails) => id
const cells: Cells<NodeDetails> = {
  name: ({ name }) => <GridLink to={nodePath(name)}>{name}</GridLink>,
}

export default function NodesScreen() {
  const { t } = useTranslation()
  useRememberListUrl()
  const query = useRoute(listNodes, {})
  const [adding, setAdding] = useState(false)
  const [edited, setEdited] = useState<NodeDetails | null>(null)
  const [tested, setTested] = useState<NodeDetails | null>(null)
  const rowActions = useRowActions(setEdited, setTested)
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('nodes.add')}
    </Button>
  )
  return (
    <>
      <DataGrid
        id="nodes"
        title={t('screens.nodes.title')}
        grid={nodeColumns}
        query={query}
        rows={query.data}
        getRowId={getId}
        renderCell={cells}
        rowActions={rowActions}
        empty={{ icon: IconServer2, title: t('nodes.empty'), hint: t('nodes.emptyHint'), action: add }}
        toolbar={() => add}
      />
      {adding && <AddNodeDialog onAdded={setTested} onClose={() => setAdding(false)} />}
      {edited !== null && <EditNodeDialog node={edited} onClose={() => setEdited(null)} />}
      {tested !== null && <ConnectionDialog node={tested} onClose={() => setTested(null)} />}
    </>
  )
}

function useRowActions(
  edit: (node: NodeDetails) => void,
  test: (node: NodeDetails) => void,
): (row: NodeDetails) => RowActions {
  const { t } = useTranslation()
  const confirm = useConfirm()

  async function remove({ id, name }: NodeDetails) {
    const question = {
      text: t('confirm.deleteNamed.node', { name }),
      hint: t('nodes.deleteMeaning'),
      yes: t('nodes.delete'),
    }
    if (!(await confirm({ title: name, ...question, danger: true }))) return
    await notifyOutcome(name, t('nodes.done.deleted'), () =>
      write(deleteNode, { params: { id } }, [listNodes]),
    )
  }

  return (node) => [
    {
      key: 'discovery',
      label: t('nodes.discovery.label'),
      icon: IconWorldSearch,
      to: discoveryPath(node.id),
    },
    { key: 'test', label: t('nodes.test.label'), icon: IconPlugConnected, run: () => test(node) },
    { key: 'edit', label: t('nodes.edit'), icon: IconPencil, run: () => edit(node) },
    {
      key: 'delete',
      label: t('nodes.delete'),
      icon: IconTrash,
      danger: true,
      run: () => void remove(node),
    },
  ]
}
