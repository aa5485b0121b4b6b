# sh emulate-all.sh FOLDER: emulates each NAME.ptx of the folder as its NAME.yaml says, and prints what became of its buffers.
for file in "$1"/*.ptx; do
  ptx-predict emulate "$file" --launch="${file%.ptx}.yaml" || exit
done | sed -n 's/  */ /g; /expected/p'
