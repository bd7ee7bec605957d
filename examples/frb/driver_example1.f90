! Driver 1 of [CZ08 section 3.4]: the heavy top of section 4.3, by frb_step in a splitting of order six. The scheme alternates the
! free motion with the kick that the field u0 of space gives to the momentum.
! Reads init_example1.dat: h, the final time, the momentum, the attitude column by column, the moments of inertia, the field,
! the coefficients a1 to a7 of the free motion and b1 to b6 of the kicks; those of the middle follow from them.
! Writes out_example1.dat: momentum, attitude and time, at the start and after each step. One number on each line.
program driver_example1
  implicit none
  external :: frb_step, frb_message
  double precision :: h, Tfin, aInert(3), Pi(3), Q(3, 3), u0(3), a(15), b(14), Piout(3), Qout(3, 3), u(3)
  integer :: i, j, NSteps
  character(len=200) :: message = ' '

  open (10, file='init_example1.dat', status='old', action='read')
  read (10, *) h, Tfin, Pi, Q, aInert, u0, a(1:7), b(1:6)
  close (10)
  b(7) = 0.5d0 - sum(b(1:6))
  a(8) = 1d0 - 2d0*sum(a(1:7))
  a(9:15) = a(7:1:-1)
  b(8:14) = b(7:1:-1)
  NSteps = nint(Tfin/h)

  open (20, file='out_example1.dat', status='replace', action='write')
  write (20, '(g26.17)') Pi, Q, 0d0
  do i = 1, NSteps
    do j = 1, 14
      call frb_step(Piout, Qout, a(j)*h, aInert, Pi, Q)
      Q = Qout
      u = matmul(u0, Q)
      Pi = Piout + b(j)*h*[u(2), -u(1), 0d0]
    end do
    call frb_step(Piout, Qout, a(15)*h, aInert, Pi, Q)
    Pi = Piout
    Q = Qout
    call frb_message(message)
    if (message /= ' ') exit
    write (20, '(g26.17)') Pi, Q, i*h
  end do
  close (20)

  if (message /= ' ') then
    print '(2a)', 'driver_example1: ', trim(message)
    stop 1
  end if
end program driver_example1
