/** A page as a Jupyter notebook: its programs are cells, and so is the text between them. */
export function notebookOf(page: string): string {
  const cells = page.split(/^```python\n(.*?)^```\n/ms).flatMap((text, at) => {
    const source = text.trim().split(/(?<=\n)/);
    if (text.trim() === '') return [];
    return at % 2 === 0
      ? [{ cell_type: 'markdown', metadata: {}, source }]
      : [{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source }];
  });
  const metadata = {
    kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
    language_info: { name: 'python' },
  };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 4 }, null, 1)}\n`;
}
